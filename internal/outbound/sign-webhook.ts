/** Signs a webhook that svc sends, as Standard Webhooks describes. The package is loaded by the first one. */

/** `id`, time in seconds and body give the headers that the receiver verifies. */
export type SignWebhook = (
  secret: string,
  message: Readonly<{ id: string; at: Date; body: string }>,
) => Promise<string>

/** @param secret as `openWebhookSigner` takes it */
export const signWebhook: SignWebhook = async (secret, { id, at, body }) => {
  const { openWebhookSigner } = await import('./webhook-signer.ts')
  return openWebhookSigner(secret).sign(id, at, body)
}
