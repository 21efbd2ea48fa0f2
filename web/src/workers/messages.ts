import { defineMessages, plural } from '../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Processes that run jobs. A worker that stops sending heartbeats leaves the list, and its jobs are requeued.',
    ko: '작업을 실행하는 프로세스입니다. 응답이 끊긴 워커는 목록에서 사라지고 맡던 작업은 다시 대기열에 들어갑니다.',
  },
  tags: { en: 'Queues by tag', ko: '태그별 대기열' },
  liveWorkers: { en: 'Live workers', ko: '실행 중인 워커' },
  group: { en: 'Group', ko: '그룹' },
  taking: { en: 'Tags', ko: '처리 태그' },
  load: { en: 'Load', ko: '부하' },
  loadOf: {
    en: (running: number, most: number) => `${running} of ${most} running`,
    ko: (running: number, most: number) => `${most}개 중 ${running}개 실행 중`,
  },
  versions: {
    en: (n: number) =>
      `${n} ${plural(n, 'version', 'versions')} are running side by side. This is normal during a rollout.`,
    ko: (n: number) => `버전 ${n}개가 함께 실행 중입니다. 배포 교체 중이라면 정상입니다.`,
  },
  ping: { en: 'Last heartbeat', ko: '마지막 응답' },
  none: { en: 'No live workers', ko: '실행 중인 워커가 없습니다' },
  noneText: {
    en: 'Jobs wait until a worker starts. Start one on any machine that can reach the database, with the same key:',
    ko: '워커가 생길 때까지 작업은 대기합니다. 데이터베이스에 접근할 수 있는 컴퓨터에서 같은 키로 시작하세요.',
  },
  noTags: {
    en: 'No live workers and no queued jobs.',
    ko: '대기 중인 작업도, 실행 중인 워커도 없습니다.',
  },
})
