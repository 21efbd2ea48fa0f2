/** The answer to whoever makes an invite; it holds the link, which is shown this once. */
import type { Invite } from '#store/invites.ts'
import { toTimestamp } from './time.ts'
import { z } from './z.ts'

export const createdInvite = z.object({
  id: z.uuid(),
  url: z.url().describe('shown this once'),
  expires_at: z.iso.datetime(),
})

export const toCreatedInvite = (
  { text, invite }: Readonly<{ text: string; invite: Invite }>,
  baseUrl: string,
) => ({
  id: invite.id,
  url: `${baseUrl}/invite?token=${text}`,
  expires_at: toTimestamp(invite.expiresAt),
})
