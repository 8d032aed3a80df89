import { notFound } from "next/navigation";
import { ApiError } from "#lib/kernel/errors.ts";

/** What a read finds; what it may not show, or what is not there, becomes the one page for both. */
export async function findOrNotFound<Found>(read: Promise<Found>): Promise<Found> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}
