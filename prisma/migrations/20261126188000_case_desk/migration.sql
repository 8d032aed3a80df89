-- What the administrators' pages count and list: how often each rule of the community was applied, decided appeals, leaked tokens.

-- Step: hits and appeals
-- CreateTable
CREATE TABLE "rule_hits" (
    "day" DATE NOT NULL,
    "rule" INTEGER NOT NULL,
    "hits" INTEGER NOT NULL,

    CONSTRAINT "rule_hits_pkey" PRIMARY KEY ("day", "rule")
);

-- CreateIndex
-- No release has acts of moderation yet.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "moderations_decided" ON "moderations"("appealed_at", "id") WHERE (appeal <> 'open');

-- Step: leaked tokens
-- CreateIndex
-- Built under a lock of a step of its own: it is nearly empty, and reading the table takes a fraction of a second.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "identities_leaked" ON "identities"("seq") WHERE (leaked_at IS NOT NULL);
