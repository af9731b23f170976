
"use strict";
(() => {
  const findings = [...document.querySelectorAll("details.finding")];
  let at = -1;
  const go = (next) => {
    at = Math.max(0, Math.min(findings.length - 1, next));
    const finding = findings[at];
    finding.open = true;
    finding.scrollIntoView();
    finding.querySelector("summary").focus({ preventScroll: true });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !findings.length) return;
    if (event.key === "j") go(at + 1);
    if (event.key === "k") go(at - 1);
  });
  const follow = () => {
    const named = location.hash && document.getElementById(location.hash.slice(1));
    if (named && named.matches("details")) { named.open = true; at = findings.indexOf(named); }
  };
  addEventListener("hashchange", follow);
  follow();
  addEventListener("beforeprint", () => findings.forEach((f) => { f.open = true; }));
  if (!navigator.clipboard) return;
  document.querySelectorAll("pre.command").forEach((pre) => {
    const text = pre.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Not allowed"; }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    pre.after(button);
  });
})();
