/** What a script threw, or the limit it hit [jobs 8.10]. */
export type JobError = Readonly<{ name: string; message: string }>

/** The error of a canceled job or run. @param reason null if none was given */
export const canceledError = (reason: string | null = null): JobError => ({
  name: 'Canceled',
  message: reason ?? 'The job was canceled.',
})
