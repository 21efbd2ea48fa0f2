import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Operations', ko: '일괄 처리' },
  about: {
    en: 'Replays and cancellations of many jobs at once. They continue on their own, also after a restart.',
    ko: '여러 작업을 한 번에 다시 실행하거나 취소한 내역입니다. 서버가 다시 시작되어도 계속됩니다.',
  },
  cancel: { en: 'Cancel', ko: '취소' },
  matched: { en: 'Jobs', ko: '작업 수' },
  done: { en: 'Done', ko: '완료' },
  refused: { en: 'Could not be changed', ko: '처리하지 못함' },
  left: { en: 'Left', ko: '남겨 둠' },
  stop: { en: 'Stop', ko: '중지' },
  stopTitle: { en: 'Stop this operation?', ko: '이 일괄 처리를 중지할까요?' },
  stopText: {
    en: 'What it has done stays done. It leaves the other jobs as they are.',
    ko: '이미 처리한 작업은 되돌리지 않고, 나머지 작업은 그대로 둡니다.',
  },
  stopped: { en: 'Stopped.', ko: '중지했습니다.' },
  notStopped: { en: 'The operation was not stopped', ko: '일괄 처리를 중지하지 못했습니다' },
  ended: { en: 'Ended', ko: '종료' },
  none: { en: 'No operations yet', ko: '아직 일괄 처리가 없습니다' },
  noneText: {
    en: 'Select jobs in the list, or use the command:',
    ko: '작업 목록에서 작업을 선택하거나 다음 명령을 사용하세요.',
  },
})
