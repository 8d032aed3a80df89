/** A bucket of an S3-compatible store, and the keys to it. */
export type S3Bucket = {
  /** Of the bucket, or a folder in it; without a slash at the end. */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
};

/**
 * Reads `https://ACCESS_KEY:SECRET@host/bucket/folder?region=REGION`.
 * @returns undefined if a key or the bucket is missing
 */
export function readS3Url(text: string): S3Bucket | undefined {
  const url = new URL(text);
  const bucket = url.pathname.replace(/\/+$/, "");
  if (!url.username || !url.password || !bucket) return undefined;
  return {
    url: `${url.origin}${bucket}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get("region") ?? "us-east-1",
  };
}
