/** Wraps the package of Standard Webhooks in a separate module, which the first signed webhook loads. */
import { Webhook } from 'standardwebhooks'

const BASE64_SECRET = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/

/** @param secret `whsec_` and base64; any other text is used as raw bytes */
export const openWebhookSigner = (secret: string): Webhook => {
  const isBase64 = BASE64_SECRET.test(secret) && secret.replace('whsec_', '').length % 4 === 0
  return isBase64 ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
}
