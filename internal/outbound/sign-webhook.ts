/** Signs an outgoing webhook according to Standard Webhooks. The first one loads the package. */

/** Makes the headers that the receiver verifies from `id`, the time in seconds, and the body. */
export type SignWebhook = (
  secret: string,
  message: Readonly<{ id: string; at: Date; body: string }>,
) => Promise<string>

/** @param secret in a form that `openWebhookSigner` accepts */
export const signWebhook: SignWebhook = async (secret, { id, at, body }) => {
  const { openWebhookSigner } = await import('./webhook-signer.ts')
  return openWebhookSigner(secret).sign(id, at, body)
}
