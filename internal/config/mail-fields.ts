import { z } from 'zod'
import { settingMeta, text } from './setting.ts'

/** Settings of e-mail. */
export const mailFields = {
  smtpUrl: z
    .url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' })
    .optional()
    .register(settingMeta, {
      env: 'SVC_SMTP_URL',
      defaultText: 'no e-mail',
      sentence:
        'Mail server for notifications: smtp://user:password@host:587 or smtps://user:password@host:465. Set it where a scheduler runs.',
      secret: true,
    }),
  smtpFrom: text.optional().register(settingMeta, {
    env: 'SVC_SMTP_FROM',
    defaultText: 'none',
    sentence: 'Sender of e-mail, for example svc <svc@example.com>; needed with SVC_SMTP_URL.',
  }),
}
