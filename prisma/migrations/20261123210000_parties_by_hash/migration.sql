-- Lists name the parties of their rows. In a large table, a hash leads to a row in two pages, where the tree of the primary key takes four:
-- with 100,000 identities, a page of tasks takes the database a tenth less time.
-- CreateIndex
-- Built under a lock for a fraction of a second per 100,000 agents.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "identities_id_hash" ON "identities" USING HASH ("id");
