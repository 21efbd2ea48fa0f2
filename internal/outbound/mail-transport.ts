/** Wraps the SMTP package in a separate module, which the first mail loads. */
import { createTransport } from 'nodemailer'

const TIMEOUT_MS = 15_000

/** Opens a connection for one mail. @param url the value of SVC_SMTP_URL */
export const openMailTransport = (url: string) =>
  createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
