/** Tabs. The caller decides which one is open, usually by the address. */
import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import styles from './tabs.module.css'

export type TabItem<Name extends string> = Readonly<{
  name: Name
  label: ReactNode
  content: ReactNode
}>

export type TabsProps<Name extends string> = Readonly<{
  label: string
  open: Name
  onOpen: (name: Name) => void
  items: readonly TabItem<Name>[]
  /** Whether the open tab fills the page and scrolls inside, such as a long table. @default false */
  isFilled?: boolean
}>

/**
 * On a narrow screen the list of tabs scrolls. An address, or a link within the page, may open a tab that is out of view, and
 * labels grow when their numbers arrive.
 */
const useOpenTabInView = (list: RefObject<HTMLElement | null>, open: string): void => {
  const shown = useRef('')
  useLayoutEffect(() => {
    const { current } = list
    const tab = current?.querySelector('[aria-selected=true]')
    if (current === null || tab == null) return
    // a render that changes neither leaves it where the person has scrolled it
    const now = `${open} ${current.scrollWidth}`
    if (now === shown.current) return
    shown.current = now
    const [outer, inner] = [current.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (inner.left < outer.left || inner.right > outer.right) {
      current.scrollBy({ left: inner.left - outer.left - (outer.width - inner.width) / 2 })
    }
  })
}

export const Tabs = <Name extends string>({
  label,
  open,
  onOpen,
  items,
  isFilled = false,
}: TabsProps<Name>) => {
  const list = useRef<HTMLDivElement>(null)
  useOpenTabInView(list, open)
  return (
    <Base.Root
      className={isFilled ? styles.filled : undefined}
      // an address may name a tab that does not exist
      value={(items.find(({ name }) => name === open) ?? items[0])?.name}
      onValueChange={(value: Name) => onOpen(value)}
    >
      <Base.List ref={list} className={styles.list} aria-label={label}>
        {items.map((item) => (
          <Base.Tab
            key={item.name}
            value={item.name}
            className={styles.tab}
            // clicking the default tab makes it the person's choice, so that it stays open
            onClick={() => (item.name === open ? onOpen(item.name) : undefined)}
          >
            {item.label}
          </Base.Tab>
        ))}
      </Base.List>
      {items.map((item) => (
        <Base.Panel key={item.name} value={item.name} className={styles.panel}>
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
