import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Failures, disabled schedules and waiting approvals, sent to Slack, e-mail and webhooks.',
    ko: '실패, 자동으로 꺼진 일정, 대기 중인 승인을 Slack, 이메일, 웹훅으로 알립니다.',
  },
  channels: { en: 'Channels', ko: '채널' },
  deliveries: { en: 'Deliveries', ko: '전송 내역' },
  slack: { en: 'Slack', ko: 'Slack' },
  events: { en: 'Events', ko: '이벤트' },
  job_failed: { en: 'Job failed', ko: '작업 실패' },
  flow_failed: { en: 'Flow run failed', ko: '플로우 실행 실패' },
  schedule_disabled: { en: 'Schedule disabled', ko: '일정 꺼짐' },
  approval_waiting: { en: 'Approval waiting', ko: '승인 대기' },
  test: { en: 'Test', ko: '테스트' },
  noChannels: {
    en: 'No channels yet. Add one to be notified of failures.',
    ko: '아직 채널이 없습니다. 채널을 추가하면 실패를 바로 알려 드립니다.',
  },
  addChannel: { en: 'Add channel', ko: '채널 추가' },
  secret: { en: 'Variable of the secret', ko: '비밀 값 변수' },
  secretHint: {
    en: 'Key of a variable that signs the requests. Leave empty for none.',
    ko: '요청에 서명할 변수의 키입니다. 비우면 서명하지 않습니다.',
  },
  channelAdded: { en: 'Channel added', ko: '채널을 추가했습니다' },
  notAdded: { en: 'Could not add the channel', ko: '채널을 추가하지 못했습니다' },
  sendTest: { en: 'Send a test', ko: '테스트 보내기' },
  testSent: {
    en: 'The test is on its way. Its delivery is in the list.',
    ko: '테스트를 보냈습니다. 결과는 전송 내역에 나타납니다.',
  },
  testNotSent: { en: 'Could not send the test', ko: '테스트를 보내지 못했습니다' },
  remove: { en: 'Delete', ko: '삭제' },
  removeTitle: {
    en: (address: string) => `Delete ${address}?`,
    ko: (address: string) => `${address} 채널을 삭제할까요?`,
  },
  removeText: {
    en: 'It gets no further notifications. Those on their way are still sent.',
    ko: '이후의 알림은 보내지 않습니다. 이미 전송 중인 알림은 그대로 전송됩니다.',
  },
  removed: { en: 'Channel deleted', ko: '채널을 삭제했습니다' },
  notRemoved: { en: 'Could not delete the channel', ko: '채널을 삭제하지 못했습니다' },
  channel: { en: 'Channel', ko: '채널' },
  next: { en: 'Next attempt', ko: '다음 시도' },
  ended: { en: 'Ended', ko: '종료' },
  none: { en: 'No notifications yet', ko: '아직 보낸 알림이 없습니다' },
  noneText: {
    en: 'Each delivery appears here with its status and, if it failed, the reason.',
    ko: '알림을 보낼 때마다 상태와 실패 사유가 여기에 나타납니다.',
  },
})
