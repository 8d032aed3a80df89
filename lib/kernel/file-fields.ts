import { z } from "zod";
import { line } from "./fields.ts";

// Fields of files that the criteria of agreements share with the files themselves.

/** In the description of a field, or of a kind of criterion, that only an installation with files has. */
export const OF_FILES = { "x-needs": "files" };

export const MAX_FILE_BYTES = 25 * 1024 * 1024;

export const FileName = line(200)
  .refine((name) => !/[/\\]/.test(name), "must not contain / or \\")
  .refine((name) => !/^\.{1,2}$/.test(name), "must not be . or ..")
  .meta({
    ...OF_FILES,
    id: "FileName",
    description: "Name of a file: 1 to 200 characters on one line, without / and \\.",
    pattern: "^[^/\\\\\\n\\u2028\\u2029]*$",
  });

/** The type that its uploader declares. Nothing relies on it. */
export const MediaType = z
  .string()
  .regex(/^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/, "must be a media type such as text/csv")
  .meta({ maxLength: 121 });
