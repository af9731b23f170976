-- A report asks for the wrong units, the failed units and the findings of a unit; none of these is worth reading all.

CREATE INDEX finding_of_unit ON finding (unit);
CREATE INDEX unit_with_error ON unit (error) WHERE error IS NOT NULL;
CREATE INDEX unit_of_configuration ON unit (configuration);
