/** Whether the form of a new draft is open, and of which app; the address holds it, so that other pages lead there. */
export type DraftsSearch = Readonly<{ form?: 'new'; app?: string }>

export const readDraftsSearch = ({ form, app }: Record<string, unknown>): DraftsSearch => ({
  ...(form === 'new' ? { form } : {}),
  ...(typeof app === 'string' && app !== '' ? { app: app.slice(0, 63) } : {}),
})
