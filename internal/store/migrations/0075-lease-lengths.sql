-- expansion
-- The length of the lease that the job's worker takes, in milliseconds. Workers may have other settings than the scheduler that
-- corrects leases after a jump of the clock. Null of a claim of an older node.
ALTER TABLE jobs ADD COLUMN lease_ms INTEGER;
