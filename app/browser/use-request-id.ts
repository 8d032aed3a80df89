import { useRef } from "react";

/**
 * The ID of an attempt, the same as long as the request is: whoever sends again because no answer came does it once. Not by
 * `crypto.randomUUID`, which browsers offer over HTTPS only.
 */
export function useRequestId(): (request: string) => string {
  const last = useRef({ request: "", id: "" });
  return (request) => {
    if (last.current.request !== request) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      last.current = { request, id: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
    }
    return last.current.id;
  };
}
