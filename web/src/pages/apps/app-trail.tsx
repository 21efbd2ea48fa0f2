import { Link } from '@tanstack/react-router'
import { useMessages } from '../../language/messages.ts'
import { messages } from './app/messages.ts'
import type { AppTab } from './app/search.ts'

export type AppTrailProps = Readonly<{ ws: string; app: string; tab?: AppTab }>

/** Links from a part of an app back to all apps, and to the app at the tab that lists the part. */
export const AppTrail = ({ ws, app, tab }: AppTrailProps) => {
  const t = useMessages(messages)
  return (
    <>
      <Link to="/w/$ws/apps" params={{ ws }}>
        {t.apps}
      </Link>
      <span aria-hidden="true">›</span>
      <Link to="/w/$ws/apps/$app" params={{ ws, app }} search={tab === undefined ? {} : { tab }}>
        {app}
      </Link>
    </>
  )
}
