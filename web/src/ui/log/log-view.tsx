/** A log of any length, of which only the visible lines are drawn. It follows the end until the reader scrolls up or searches. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { Loading } from '../notice.tsx'
import { LogBar } from './log-bar.tsx'
import { findLines, type LogLine, plainText } from './log-lines.ts'
import { LogRow, type ShowPlace } from './log-row.tsx'
import styles from './log-view.module.css'

const messages = defineMessages({
  none: { en: 'No log output yet.', ko: '아직 기록된 로그가 없습니다.' },
  noneEver: { en: 'No log output.', ko: '기록된 로그가 없습니다.' },
})

const LINE_HEIGHT = 20
const OVERSCAN = 40
/** Pixels from the end that still count as the end. */
const NEAR_PX = 40

export type LogViewProps = Readonly<{
  lines: readonly LogLine[]
  /** Whether it is not known yet if the log has lines. */
  isLoading: boolean
  /** Whether more lines may come. */
  isLive: boolean
  /** The URL of the whole log as a file. */
  href: string
  fileName: string
  showPlace?: ShowPlace | undefined
}>

type Rows = Virtualizer<HTMLDivElement, Element>

/** The matches, and the index of the shown one. */
const useSearch = (lines: readonly LogLine[], show: (line: number) => void) => {
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => findLines(lines, wanted), [lines, wanted])
  const go = (next: number): void => {
    setAt(next)
    const line = found[next]
    if (line !== undefined) show(line)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines do not move the reader to the first match
  useEffect(() => go(0), [wanted])
  return {
    wanted,
    at,
    count: found.length,
    line: found[at],
    onWanted: setWanted,
    onStep: (by: 1 | -1) => {
      if (found.length > 0) go((at + by + found.length) % found.length)
    },
  }
}

export const LogView = ({ lines, isLoading, isLive, href, fileName, showPlace }: LogViewProps) => {
  const [isWrapped, setWrapped] = useState(false)
  const [hasTimes, setTimes] = useState(true)
  const [isFollowing, setFollowing] = useState(true)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  })
  const search = useSearch(lines, (line) => {
    setFollowing(false)
    virtual.scrollToIndex(line, { align: 'center' })
  })
  const last = lines.length - 1
  useEffect(() => {
    if (isFollowing && last >= 0) virtual.scrollToIndex(last, { align: 'end' })
  }, [isFollowing, last, virtual])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs again because they change the height of lines
  useEffect(() => virtual.measure(), [isWrapped, hasTimes, virtual])

  return (
    <div className={styles.frame}>
      <LogBar
        count={lines.length}
        search={search}
        isWrapped={isWrapped}
        onWrap={() => setWrapped(!isWrapped)}
        hasTimes={hasTimes}
        onTimes={() => setTimes(!hasTimes)}
        onFollow={() => {
          setFollowing(true)
          if (last >= 0) virtual.scrollToIndex(last, { align: 'end' })
        }}
        read={() => lines.map(({ text }) => `${plainText(text)}\n`).join('')}
        href={href}
        fileName={fileName}
      />
      <Lines
        {...{ lines, isLoading, isLive, isWrapped, hasTimes, scroller, virtual, showPlace }}
        wanted={search.wanted}
        current={search.line}
        onEnd={setFollowing}
      />
    </div>
  )
}

type LinesProps = Pick<LogViewProps, 'lines' | 'isLoading' | 'isLive' | 'showPlace'> &
  Readonly<{
    isWrapped: boolean
    hasTimes: boolean
    scroller: RefObject<HTMLDivElement | null>
    virtual: Rows
    wanted: string
    /** The line of the shown match. */
    current: number | undefined
    /** Called when the reader reaches the end, or scrolls up from it. */
    onEnd: (isEnd: boolean) => void
  }>

const Lines = (props: LinesProps) => {
  const t = useMessages(messages)
  const {
    lines,
    isLoading,
    isLive,
    isWrapped,
    hasTimes,
    scroller,
    virtual,
    wanted,
    current,
    onEnd,
  } = props
  const top = useRef(0)
  const row = {
    hasTime: hasTimes,
    wanted,
    ...(props.showPlace === undefined ? {} : { showPlace: props.showPlace }),
  }
  return (
    <section
      className={styles.scroller}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={t.log}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        // lines that arrive during a scroll to the end move the end away, and only a reader scrolls up
        if (scrollHeight - scrollTop - clientHeight < NEAR_PX) onEnd(true)
        else if (scrollTop < top.current) onEnd(false)
        top.current = scrollTop
      }}
    >
      {lines.length === 0 && isLoading ? (
        <Loading />
      ) : lines.length === 0 ? (
        <p style={{ padding: '0.75rem' }}>{isLive ? t.none : t.noneEver}</p>
      ) : (
        <div
          className={`${styles.lines} ${isWrapped ? styles.wrapped : ''}`}
          style={{ height: virtual.getTotalSize() }}
        >
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index]
            return line === undefined ? null : (
              <div
                key={index}
                data-index={index}
                data-stream={line.stream}
                data-current={index === current ? '' : undefined}
                ref={isWrapped ? virtual.measureElement : null}
                className={styles.line}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogRow line={line} number={index + 1} {...row} />
              </div>
            )
          })}
        </div>
      )}
    </section>
  )
}
