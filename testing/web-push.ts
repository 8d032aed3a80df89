import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

const CURVE = "prime256v1";
const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/** A private key for Web Push, as in VAPID_PRIVATE_KEY. */
export const VAPID_PRIVATE_KEY = "m6_mpQNhPTSbHK0tJiVCFjCyGlr1DMqsDQZmCp2dTpI";

/** What a browser's PushManager makes: the subscription, and the means to read what is sent to it (RFC 8291). */
export function subscribedBrowser(endpoint: string) {
  const [pair, auth] = [createECDH(CURVE), randomBytes(16)];
  const publicKey = pair.generateKeys();
  return {
    subscription: { endpoint, p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") },
    read(sent: Buffer): unknown {
      const salt = sent.subarray(0, 16);
      const keyEnd = 21 + sent.readUInt8(20);
      const senderKey = sent.subarray(21, keyEnd);
      const shared = derive(
        pair.computeSecret(senderKey),
        auth,
        Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]),
        32,
      );
      const key = derive(shared, salt, "Content-Encoding: aes128gcm\0", 16);
      const decipher = createDecipheriv("aes-128-gcm", key, derive(shared, salt, "Content-Encoding: nonce\0", 12));
      decipher.setAuthTag(sent.subarray(-16));
      const plain = Buffer.concat([decipher.update(sent.subarray(keyEnd, -16)), decipher.final()]);
      // The last record ends with a 2.
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
    },
  };
}
