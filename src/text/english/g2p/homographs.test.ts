import { beforeAll, describe, expect, it } from 'vitest';
import { English } from './phonemes.ts';

let english: English;
beforeAll(async () => {
  english = await English.load();
});

describe('homograph', () => {
  it.each([
    ['She read the book yesterday.', 'read', 'ɹˈɛd'],
    ['I read every day.', 'read', 'ɹˈid'],
    ['He has read it.', 'read', 'ɹˈɛd'],
    ['Will you read to me?', 'read', 'ɹˈid'],
    ['Read the manual first.', 'Read', 'ɹˈid'],
    ['They read it last week and liked it.', 'read', 'ɹˈɛd'],
    ['I have never read it.', 'read', 'ɹˈɛd'],
    ['The letter was read aloud.', 'read', 'ɹˈɛd'],
    ['Did you read that?', 'read', 'ɹˈid'],
    ['It is a good read.', 'read', 'ɹˈid'],
    ['He took the lead.', 'lead', 'lˈid'],
    ['The old lead pipes were toxic.', 'lead', 'lˈɛd'],
    ['She will lead the team.', 'lead', 'lˈid'],
    ['The pipe is made of lead.', 'lead', 'lˈɛd'],
    ['They live in Paris.', 'live', 'lˈɪv'],
    ['It was a live show.', 'live', 'lˈIv'],
    ['I want to live.', 'live', 'lˈɪv'],
    ['The concert is broadcast live tonight.', 'live', 'lˈIv'],
    ['People who live near the sea.', 'live', 'lˈɪv'],
    ['He lives in Rome.', 'lives', 'lˈɪvz'],
    ['They saved many lives.', 'lives', 'lˈIvz'],
    ['What is the use of it?', 'use', 'jˈus'],
    ['You can use it.', 'use', 'jˈuz'],
    ['We used to go there.', 'used', 'jˈust'],
    ['It is used to make bread.', 'used', 'jˈuzd'],
    ['I am used to it.', 'used', 'jˈust'],
    ['He used a knife.', 'used', 'jˈuzd'],
    ['She broke the world record.', 'record', 'ɹˈɛkəɹd'],
    ['We record every call.', 'record', 'ɹəkˈɔɹd'],
    ['The new record is out.', 'record', 'ɹˈɛkəɹd'],
    ['I present the award.', 'present', 'pɹizˈɛnt'],
    ['Thank you for the present.', 'present', 'pɹˈɛzᵊnt'],
    ['They object to the plan.', 'object', 'əbʤˈɛkt'],
    ['The wind blew hard.', 'wind', 'wˈɪnd'],
    ['Wind the clock up.', 'Wind', 'wˈInd'],
    ['You must wind it slowly.', 'wind', 'wˈInd'],
    ['A tear ran down her face.', 'tear', 'tˈɪɹ'],
    ['Do not tear the paper.', 'tear', 'tˈɛɹ'],
    ['Please close the door.', 'close', 'klˈOz'],
    ['The shop is close to home.', 'close', 'klˈOs'],
    ['They were very close.', 'close', 'klˈOs'],
    ['At the close of the day.', 'close', 'klˈOz'],
    ['The archer drew his bow and arrow.', 'bow', 'bˈO'],
    ['The actors bow before the audience.', 'bow', 'bˈW'],
    ['We sat in the front row.', 'row', 'ɹˈO'],
    ['They had a blazing row.', 'row', 'ɹˈW'],
    ['The camel crossed the desert.', 'desert', 'dˈɛzəɹt'],
    ['He would never desert us.', 'desert', 'dəzˈɜɹt'],
    ['I am content with it.', 'content', 'kəntˈɛnt'],
    ['The content of the page is new.', 'content', 'kˈɑntˌɛnt'],
    ['Farms produce milk.', 'produce', 'pɹədˈus'],
    ['We buy fresh produce.', 'produce', 'pɹˈOdˌus'],
    ['The project failed.', 'project', 'pɹˈɑʤˌɛkt'],
    ['They project a loss.', 'project', 'pɹəʤˈɛkt'],
    ['It was perfect.', 'perfect', 'pˈɜɹfəkt'],
    ['You must perfect it.', 'perfect', 'pəɹfˈɛkt'],
    ['Wait a minute.', 'minute', 'mˈɪnət'],
    ['It found minute traces.', 'minute', 'mInˈut'],
    ['Keep them in separate rooms.', 'separate', 'sˈɛpəɹət'],
    ['We should separate them.', 'separate', 'sˈɛpəɹˌAt'],
    ['My estimate was wrong.', 'estimate', 'ˈɛstəmət'],
    ['I estimate the cost.', 'estimate', 'ˈɛstəmˌAt'],
    ['The house is big.', 'house', 'hˈWs'],
    ['They can house forty people.', 'house', 'hˈWz'],
    ['Drug abuse is a crime.', 'abuse', 'əbjˈus'],
    ['Do not abuse it.', 'abuse', 'əbjˈuz'],
    ['That is no excuse.', 'excuse', 'ɪkskjˈus'],
    ['Excuse me.', 'Excuse', 'ɪkskjˈuz'],
    ['They refuse to pay.', 'refuse', 'ɹəfjˈuz'],
    ['The refuse was collected.', 'refuse', 'ɹˈɛfjˌus'],
    ['The ticket is invalid.', 'invalid', 'ɪnvˈæləd'],
    ['She played the bass guitar.', 'bass', 'bˈAs'],
    ['He caught a large bass in the lake.', 'bass', 'bˈæs'],
    ['A white dove flew by.', 'dove', 'dˈʌv'],
    ['She dove into the pool.', 'dove', 'dˈOv'],
    ['The sewer was blocked.', 'sewer', 'sˈuəɹ'],
    ['The wound healed.', 'wound', 'wˈund'],
    ['He wound the clock.', 'wound', 'wˈWnd'],
    ['What does it mean?', 'does', 'dˈʌz'],
    ['Polish the table.', 'Polish', 'pˈɑlɪʃ'],
    ['My wife is Polish.', 'Polish', 'pˈOlɪʃ'],
    ['Send me your resume.', 'resume', 'ɹˈɛzəmˌA'],
    ['We resume at noon.', 'resume', 'ɹəzˈum'],
    ['Prices increase every year.', 'increase', 'ɪnkɹˈis'],
    ['An increase in prices.', 'increase', 'ˈɪnkɹˌis'],
    ['The suspect fled.', 'suspect', 'sˈʌspˌɛkt'],
    ['I suspect him.', 'suspect', 'səspˈɛkt'],
    ['She will conduct the orchestra.', 'conduct', 'kəndˈʌkt'],
    ['His conduct was good.', 'conduct', 'kˈɑndˌʌkt'],
    ['Do you permit smoking?', 'permit', 'pəɹmˈɪt'],
    ['You need a permit.', 'permit', 'pˈɜɹmət'],
    ['They graduate in June.', 'graduate', 'ɡɹˈæʤəwˌAt'],
    ['She is a graduate.', 'graduate', 'ɡɹˈæʤəwət'],
    ['The records are kept here.', 'records', 'ɹˈɛkəɹdz'],
    ['The band records a new album.', 'records', 'ɹəkˈɔɹdz'],
    ['Polish the table, then rest.', 'Polish', 'pˈɑlɪʃ'],
    ['Send me your résumé.', 'résumé', 'ɹˈɛzəmˌA'],
    ['The parcel weighs two hundred grams, so we refund it.', 'refund', 'ɹəfˈʌnd'],
    ['We got a refund.', 'refund', 'ɹˈifˌʌnd'],
    ['The blessed event came.', 'blessed', 'blˈɛsᵻd'],
    ['Their beloved aunt smiled.', 'beloved', 'bəlˈʌvᵻd'],
    ['Because of the increased use of water.', 'use', 'jˈus'],
    ['He lives near Reading.', 'Reading', 'ɹˈɛdɪŋ'],
  ])('%s (%s)', (sentence, word, phonemes) => {
    const words = sentence.split(' ');
    const index = words.findIndex((candidate) => candidate.replace(/[.,?!]/g, '') === word);
    expect(english.pronounce(words, 'us')[index]).toBe(phonemes);
  });

  it('distinguishes senses in British too', () => {
    expect(english.phonemize('We project a loss on the project.', 'gb')).toBe('wˌiː pɹəʤˈɛkt ɐ lˈɒs ˌɒn ðə pɹˈɒʤɛkt.');
    expect(english.phonemize('Please close the close door.', 'gb')).toBe('plˈiːz klˈQz ðə klˈQs dˈɔː.');
  });

  it('takes linear time in long sentences', () => {
    const words = Array.from({ length: 20_000 }, () => 'read');
    expect(english.pronounce(words, 'us')).toHaveLength(20_000);
  });
});
