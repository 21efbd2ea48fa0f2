/** Opens the senders of notifications. */
import type { Config } from '#config/config.ts'
import { createPostTo } from '#outbound/post-to.ts'
import { resolveBySystem } from '#outbound/resolve-host.ts'
import { createSendMail } from '#outbound/send-mail.ts'
import { signWebhook } from '#outbound/sign-webhook.ts'
import { createIsReserved } from '#sandbox/egress/reserved.ts'
import type { SendDeps } from '#service/notify/send-due.ts'
import { reservedOf } from './reserved.ts'
import { resolveHost } from './resolve-host.ts'

export const openSenders = (
  config: Config,
): Pick<SendDeps, 'postTo' | 'sendMail' | 'signWebhook' | 'baseUrl'> => ({
  postTo: createPostTo({
    resolve: resolveHost,
    isReserved: createIsReserved(reservedOf(config), resolveBySystem),
  }),
  sendMail: createSendMail({ url: config.smtpUrl, from: config.smtpFrom }),
  signWebhook,
  baseUrl: config.baseUrl ?? null,
})
