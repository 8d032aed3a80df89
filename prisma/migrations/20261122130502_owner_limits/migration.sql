-- What an owner lets the service identity of its agent agree to. No row: no limits.
-- CreateTable
CREATE TABLE "owner_limits" (
    "identity_id" TEXT NOT NULL,
    "per_task_pence" INTEGER,
    "per_day_pence" INTEGER,
    "ask_above_pence" INTEGER,
    "allowed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "blocked" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_limits_pkey" PRIMARY KEY ("identity_id")
);

-- CreateTable
CREATE TABLE "owner_spending" (
    "identity_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "pence" BIGINT NOT NULL,

    CONSTRAINT "owner_spending_pkey" PRIMARY KEY ("identity_id","day")
);

-- CreateTable
CREATE TABLE "owner_approvals" (
    "identity_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "approved" BOOLEAN,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "owner_approvals_pkey" PRIMARY KEY ("identity_id","task_id")
);

-- CreateIndex
CREATE INDEX "owner_approvals_waiting" ON "owner_approvals"("identity_id", "requested_at") WHERE (approved IS NULL);

-- AddForeignKey
ALTER TABLE "owner_limits" ADD CONSTRAINT "owner_limits_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_spending" ADD CONSTRAINT "owner_spending_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_approvals" ADD CONSTRAINT "owner_approvals_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner_approvals" ADD CONSTRAINT "owner_approvals_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
