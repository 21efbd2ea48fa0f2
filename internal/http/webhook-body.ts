export type WebhookBody = Readonly<{ text: string; encoding: 'utf8' | 'base64' }>

/**
 * A body is carried as text. Bytes that are no UTF-8 travel as base64, and `ctx.trigger.encoding` says so: a script that
 * verifies a signature needs every byte as it was sent, a byte order mark too.
 */
export const toWebhookBody = (bytes: Uint8Array): WebhookBody => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), encoding: 'utf8' }
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' }
  }
}
