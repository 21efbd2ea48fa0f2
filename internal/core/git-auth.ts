import { z } from 'zod'

/** The credentials of a git remote, as the API takes them and as they are stored, encrypted. */
export const gitAuth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('token'),
    token: z.string().min(1).max(4_096),
    username: z
      .string()
      .max(255)
      .regex(/^[^:]*$/, 'must not contain a colon')
      .optional(),
  }),
  z.strictObject({
    type: z.literal('ssh_key'),
    private_key: z.string().min(1).max(32_768),
    known_hosts: z
      .string()
      .max(32_768)
      .optional()
      .describe('lines of ssh-keyscan; without them the first host key seen is trusted'),
  }),
])
