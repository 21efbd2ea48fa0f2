/** The channels to which failures and approvals are reported, and the outcome of each delivery. */

import { FormButton } from '../../kit/form-button.tsx'
import { useMessages } from '../../language/messages.ts'
import { Page } from '../../ui/page.tsx'
import { reachableScroller } from '../../ui/reachable-scroller.ts'
import { AddChannel } from './add-channel.tsx'
import { ChannelList } from './channel-list.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

export const NotificationsPage = () => {
  const t = useMessages(messages)
  return (
    <Page
      title={t.notifications}
      about={t.about}
      isFilled
      actions={
        <FormButton need="workspace:write" label={t.addChannel}>
          {(close) => <AddChannel onClose={close} />}
        </FormButton>
      }
    >
      <div className={styles.channels} ref={reachableScroller}>
        <ChannelList />
      </div>
      <DeliveryList />
    </Page>
  )
}
