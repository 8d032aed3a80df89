-- What the service found when it checked the latest submission against the agreement's criteria; null if it checked nothing.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "criteria_results" JSONB;
