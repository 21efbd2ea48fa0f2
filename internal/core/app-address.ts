/** Names an app of a workspace by its key. */
export type AppAddress = Readonly<{ ws: string; app: string }>
