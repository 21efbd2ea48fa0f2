/** A log of any length: only the lines in sight are drawn. It follows the end until the reader scrolls up. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDownToLine, Download, WrapText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { defineMessages, plural, useMessages } from '../language/messages.ts'
import { readAnsi } from './ansi.ts'
import { buttonClass, IconButton } from './button.tsx'
import styles from './log-view.module.css'

const messages = defineMessages({
  lines: {
    en: (n: string, count: number) => `${n} ${plural(count, 'line', 'lines')}`,
    ko: (n: string) => `${n}줄`,
  },
  wrap: { en: 'Wrap long lines', ko: '긴 줄 바꿈' },
  follow: { en: 'Follow', ko: '끝 따라가기' },
  download: { en: 'Download the log', ko: '로그 내려받기' },
  none: { en: 'No log output yet.', ko: '아직 기록된 로그가 없습니다.' },
  noneEver: { en: 'No log output.', ko: '기록된 로그가 없습니다.' },
})

const LINE_HEIGHT = 20
const OVERSCAN = 40
/** This near to the end counts as its end. */
const NEAR_PX = 40

export type LogViewProps = Readonly<{
  lines: readonly string[]
  /** More may come. */
  isLive: boolean
  /** Where the whole log is as a file. */
  href: string
  fileName: string
}>

export const LogView = ({ lines, isLive, href, fileName }: LogViewProps) => {
  const t = useMessages(messages)
  const [isWrapped, setWrapped] = useState(false)
  const [isFollowing, setFollowing] = useState(true)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  })
  const last = lines.length - 1
  useEffect(() => {
    if (isFollowing && isLive && last >= 0) virtual.scrollToIndex(last, { align: 'end' })
  }, [isFollowing, isLive, last, virtual])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again because wrapping changes the height of lines
  useEffect(() => virtual.measure(), [isWrapped, virtual])

  return (
    <div className={styles.frame}>
      <div className={styles.bar}>
        <span>{t.lines(lines.length.toLocaleString(), lines.length)}</span>
        <IconButton
          label={t.wrap}
          icon={<WrapText size={15} />}
          aria-pressed={isWrapped}
          onClick={() => setWrapped(!isWrapped)}
        />
        <IconButton
          label={t.follow}
          icon={<ArrowDownToLine size={15} />}
          onClick={() => {
            setFollowing(true)
            if (last >= 0) virtual.scrollToIndex(last, { align: 'end' })
          }}
        />
        <a
          className={buttonClass('quiet', true)}
          href={href}
          download={fileName}
          aria-label={t.download}
          title={t.download}
        >
          <Download size={15} />
        </a>
      </div>
      <section
        className={styles.scroller}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={t.log}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_PX)
        }
      >
        {lines.length === 0 ? (
          <p style={{ padding: '0.75rem' }}>{isLive ? t.none : t.noneEver}</p>
        ) : (
          <div
            className={`${styles.lines} ${isWrapped ? styles.wrapped : ''}`}
            style={{ height: virtual.getTotalSize() }}
          >
            {virtual.getVirtualItems().map(({ index, start }) => (
              <div
                key={index}
                data-index={index}
                ref={isWrapped ? virtual.measureElement : null}
                className={styles.line}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={styles.number} aria-hidden="true">
                  {index + 1}
                </span>
                <Line text={lines[index] ?? ''} />
              </div>
            ))}
          </div>
        )}
      </section>
    </div>
  )
}

const Line = ({ text }: Readonly<{ text: string }>) =>
  readAnsi(text).map(({ text: part, tone, isBold }, at) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line never change
      key={at}
      className={`${tone === null ? '' : (styles[tone] ?? '')} ${isBold ? styles.bold : ''}`}
    >
      {part}
    </span>
  ))
