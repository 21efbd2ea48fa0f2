/** Sends e-mail over the server of SVC_SMTP_URL. The package is loaded by the first mail. */
export type Mail = Readonly<{ to: string; subject: string; text: string }>

/** @throws {Error} the server refused it, or none is set */
export type SendMail = (mail: Mail) => Promise<void>

export type MailOptions = Readonly<{
  /** `smtp://user:password@host:port` or `smtps://…`; absent: no mail can be sent. */
  url: string | undefined
  from: string | undefined
}>

/** Creates the sender. */
export const createSendMail =
  ({ url, from }: MailOptions): SendMail =>
  async ({ to, subject, text }) => {
    if (url === undefined || from === undefined) {
      throw new Error('No mail can be sent: the operator sets SVC_SMTP_URL and SVC_SMTP_FROM.')
    }
    const { openMailTransport } = await import('./mail-transport.ts')
    const transport = openMailTransport(url)
    try {
      // an address as an object is never parsed as a list of several
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } finally {
      transport.close()
    }
  }
