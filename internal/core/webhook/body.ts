/** `encoding` is base64 if the body is not UTF-8. */
export type WebhookBody = Readonly<{ text: string; encoding: 'utf8' | 'base64' }>

/**
 * Turns a body into text. Bytes that are not UTF-8 become base64, and `ctx.trigger.encoding` is `base64`: a script that
 * verifies a signature needs every byte as it was sent, including a byte order mark.
 */
export const toWebhookBody = (bytes: Uint8Array): WebhookBody => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), encoding: 'utf8' }
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
  }
}
