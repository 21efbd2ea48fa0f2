-- what an approval shows to people, encrypted
ALTER TABLE flow_steps ADD COLUMN shown TEXT;
