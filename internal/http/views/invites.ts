import type { Invite } from '#store/people/invites.ts'

/** A new invite with its link, which is shown only once. */
export const toCreatedInvite = (
  { text, invite }: Readonly<{ text: string; invite: Invite }>,
  baseUrl: string,
) => ({ ...invite, url: `${baseUrl}/invite?token=${text}` })
