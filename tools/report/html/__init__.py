"""The report as one page of HTML, which needs neither a network nor scripts to be read.

`view` makes plain objects of the results, what the page says and in which order; `page` puts them into the templates.
Nothing that comes from the input is trusted: the templates escape all of it.
"""

from .page import check_page, run_page

__all__ = ["check_page", "run_page"]
