/** The version of the wire interface under /api/v1/. */
export const INTERFACE_VERSION = "1.0.0" as const;
