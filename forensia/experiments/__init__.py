"""The paper's protocol: data sets, plans, runner, results, tables."""
