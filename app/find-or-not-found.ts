import { notFound } from "next/navigation";
import { ApiError } from "#lib/kernel/errors.ts";

/** Shows the not-found page when a read fails with `not_found`: the same page for what is missing and what is hidden. */
export async function findOrNotFound<Found>(read: Promise<Found>): Promise<Found> {
  return (await notFoundAsNull(read)) ?? notFound();
}

/** @returns what the read finds, or null when it fails with `not_found` */
export async function notFoundAsNull<Found>(read: Promise<Found>): Promise<Found | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}
