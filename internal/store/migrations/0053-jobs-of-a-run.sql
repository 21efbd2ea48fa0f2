-- expansion
-- A list of the jobs of one flow run, newest first: loops give a run up to a million jobs, which no page may sort.
CREATE INDEX jobs_of_run ON jobs (flow_run_id, id) WHERE flow_run_id IS NOT NULL;
