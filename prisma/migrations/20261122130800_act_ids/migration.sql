-- What each act ID of an administrator was used for, so that the same act is carried out once and an ID serves one act only.
-- CreateTable
CREATE TABLE "administrator_acts" (
    "act_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "asked" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "administrator_acts_pkey" PRIMARY KEY ("act_id")
);
