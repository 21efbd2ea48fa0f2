/** What a script threw, or the limit it hit [jobs 8.10]. */
export type JobError = Readonly<{ name: string; message: string }>
