/** Whether the form for a new draft is open, and for which app. Stored in the address, so that other pages can link to it. */
export type DraftsSearch = Readonly<{ form?: 'new'; app?: string }>

export const readDraftsSearch = ({ form, app }: Record<string, unknown>): DraftsSearch => ({
  ...(form === 'new' ? { form } : {}),
  ...(typeof app === 'string' && app !== '' ? { app: app.slice(0, 63) } : {}),
})
