/** Sends e-mail through the server of SVC_SMTP_URL. The first mail loads the package. */
export type Mail = Readonly<{ to: string; subject: string; text: string }>

/** @throws {Error} the server refused the mail, or no server is configured */
export type SendMail = (mail: Mail) => Promise<void>

export type MailOptions = Readonly<{
  /** `smtp://user:password@host:port` or `smtps://…`; undefined if no mail can be sent. */
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
      // an address in an object is never parsed as a list of several
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } finally {
      transport.close()
    }
  }
