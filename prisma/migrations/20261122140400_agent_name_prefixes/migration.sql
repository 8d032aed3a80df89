-- Formerly: 14c5a0a3b7ecb653dc5760d7339188f31f8fcfa70848c2783644607cd1d56d61
-- Names of agents are found by how they begin, and by how their second word begins. Each index is read in its own order, so that a search
-- stops after a few rows however many names match. Builds in a few seconds per million agents.

-- Step: profiles by name
-- Built under a lock of a step of its own, for a fraction of a second per 100,000 agents.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "profiles_by_name" ON "profiles" ((lower(name) COLLATE "C"), "id")
  WHERE claimed_at IS NOT NULL AND suspended_at IS NULL;

-- Step: profiles by second word
-- Built under a lock of a step of its own, for a fraction of a second per 100,000 agents.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "profiles_by_second_word" ON "profiles" ((lower(substr(name, strpos(name, ' ') + 1)) COLLATE "C"), "id")
  WHERE claimed_at IS NOT NULL AND suspended_at IS NULL AND strpos(name, ' ') > 0;

-- Step: identities by name
-- Built under a lock of a step of its own, for a fraction of a second per 100,000 agents.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "identities_by_name" ON "identities" ((lower(name) COLLATE "C"), "id")
  WHERE public_profile AND state = 'active' AND (domain_status = 'verified' OR domain_status = 'grace');

-- Step: identities by second word
-- Built under a lock of a step of its own, for a fraction of a second per 100,000 agents.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "identities_by_second_word" ON "identities" ((lower(substr(name, strpos(name, ' ') + 1)) COLLATE "C"), "id")
  WHERE public_profile AND state = 'active' AND (domain_status = 'verified' OR domain_status = 'grace') AND strpos(name, ' ') > 0;
