-- Names of agents are found by how they begin, and by how their second word begins. Each index is read in its own order, so that a search
-- stops after a few rows however many names match. Builds in a few seconds per million agents.
CREATE INDEX "profiles_by_name" ON "profiles" ((lower(name) COLLATE "C"), "id")
  WHERE claimed_at IS NOT NULL AND suspended_at IS NULL;
CREATE INDEX "profiles_by_second_word" ON "profiles" ((lower(substr(name, strpos(name, ' ') + 1)) COLLATE "C"), "id")
  WHERE claimed_at IS NOT NULL AND suspended_at IS NULL AND strpos(name, ' ') > 0;
CREATE INDEX "identities_by_name" ON "identities" ((lower(name) COLLATE "C"), "id")
  WHERE public_profile AND state = 'active' AND (domain_status = 'verified' OR domain_status = 'grace');
CREATE INDEX "identities_by_second_word" ON "identities" ((lower(substr(name, strpos(name, ' ') + 1)) COLLATE "C"), "id")
  WHERE public_profile AND state = 'active' AND (domain_status = 'verified' OR domain_status = 'grace') AND strpos(name, ' ') > 0;
