/**
 * Whether the signature is the key's over the message (RFC 8032).
 * @param publicKey 32 bytes @param signature 64 bytes
 * @throws Error where the platform has no WebCrypto: a browser on a page that came over plain HTTP, except from localhost
 */
export async function verifyEd25519(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new Error("Signatures can be checked only over HTTPS or on localhost.");
  const key = await subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]).catch((error) => {
    // A key that is not a point of the curve. Anything else means that this platform lacks Ed25519.
    if (error?.name === "DataError") return undefined;
    throw new Error("This browser or runtime cannot check Ed25519 signatures. Use a newer one.");
  });
  return key !== undefined && subtle.verify("Ed25519", key, signature, message);
}
