"""The budgets of the project, measured: ``make bench``."""
