/** Names of people, real and invented. */
export const PEOPLE = `
Abbas AH0 B AA1 S
Abdul AA1 B D UH0 L
Abhishek AH0 B IH0 SH EH1 K
Abimelech AH0 B IH1 M AH0 L EH2 K
Abiy AE1 B IY0
Abram EY1 B R AH0 M
Abramovich AH0 B R AA1 M AH0 V IH2 CH
Achebe AH0 CH EY1 B EY0
Adichie AH0 D IY1 CH EY0
Adil AA0 D IY1 L
Aditya AH0 D IH1 T Y AH0
Affleck AE1 F L EH2 K
Agnès AA0 N Y EH1 S
Agnieszka AA0 G N Y EH1 SH K AH0
Aguilera AE2 G IH0 L EH1 R AH0
Ahmadinejad AA2 M AH0 D IY1 N AH0 ZH AA2 D
Ahmed AA1 M EH2 D
Ahura AH0 HH UH1 R AH0
Aidan EY1 D AH0 N
Aiko AY1 K OW0
Ailes EY1 L Z
Aine AO1 N Y AH0
Ainsworth EY1 N Z W ER0 TH
Aishwarya AY0 SH W AA1 R Y AH0
Akhmatova AA0 K M AA1 T AH0 V AH0
Akram AA1 K R AH0 M
Alasdair AE1 L AH0 S T ER0
Alcaraz AA2 L K AH0 R AA1 Z
Aleister AE1 L AH0 S T ER0
Alejandra AA2 L EH0 HH AA1 N D R AH0
Alejandro AA2 L EY0 HH AA1 N D R OW0
Alicia AH0 L IY1 SH AH0
Almodóvar AA2 L M OW0 D OW1 V AA0 R
Amartya AH0 M AA1 R T Y AH0
Ameer AH0 M IH1 R
Amelie AE2 M EY0 L IY1
Amina AH0 M IY1 N AH0
Amis EY1 M IH0 S
Amitabh AH0 M IH0 T AA1 B
Ammar AH0 M AA1 R
Anais AH0 N AY1 IY0 S
Ancelotti AA2 N CH AH0 L AA1 T IY0
Andrés AA0 N D R EH1 S
Andriy AA0 N D R IY1
Angharad AE0 NG HH AE1 R AH0 D
Anil AH0 N IY1 L
Anja AA1 N Y AH0
Anjali AH1 N JH AH0 L IY0
Anneliese AE1 N AH0 L IY2 Z
Antetokounmpo AA2 N T EH0 T OW0 K UW1 M P OW0
Anushka AH0 N UW1 SH K AH0
aoife IY1 F AH0
Arsene AA0 R S EH1 N
Artem AA0 R T Y OW1 M
Arun AA1 R UH0 N
Arundhati AH0 R UH1 N D AH0 T IY0
Arya AA1 R Y AH0
Asa EY1 S AH0
Asante AH0 S AA1 N T EY0
Asif AA1 S IH0 F
Assange AH0 S AA1 N ZH
Athos AE1 TH AA0 S
Aurelia AO0 R IY1 L Y AH0
Aurélie AO1 R EY0 L IY0
Avicii AH0 V IY1 CH IY0
Avis EY1 V IH0 S
Ayn AY1 N
Bachchan B AH1 CH AH0 N
Barabbas B AH0 R AE1 B AH0 S
Barack B AH0 R AA1 K
Baraka B ER0 AA1 K AH0
Bardot B AA0 R D OW1
Barthes B AA1 R T
Baudelaire B OW1 D AH0 L EH2 R
Baudrillard B OW1 D R IY0 AA2 R
Beatriz B EY2 AH0 T R IY1 S
Beauchamp B IY1 CH AH0 M
Beauvoir B OW0 V W AA1 R
Beckham B EH1 K AH0 M
Belichick B EH1 L AH0 CH IH2 K
Benoit B EH0 N W AA1
Benzema B EH1 N Z AH0 M AA2
Berlioz B EH1 R L IY0 OW2 Z
Beth B EH1 TH
Beto B EH1 T OW0
Beyonce B IY0 Y AA1 N S EY2
Bezos B EY1 Z OW0 S
Bizet B IY0 Z EY1
Bluey B L UW1 IY0
Boateng B W AA1 T EH2 NG
Boccaccio B OW0 K AA1 CH IY0 OW0
Bolsonaro B OW2 L S AH0 N AA1 R OW0
Borges B AO1 R HH EH0 S
Bottas B OW1 T AH0 S
Bourdain B AO0 R D EY1 N
Bowie B OW1 IY0
Brahe B R AA1 HH IY0
Breitbart B R AY1 T B AA2 R T
Brezhnev B R EH1 ZH N EH2 F
Bríd B R IY1 D
Britney B R IH1 T N IY0
Brodie B R OW1 D IY0
Bronte B R AA1 N T IY0
Bruyne B R OY1 N AH0
Buhari B UW0 HH AA1 R IY0
Bulgakov B UH0 L G AA1 K AO0 F
Buscemi B UW0 S EH1 M IY0
Buttigieg B UW1 T AH0 JH AH2 JH
Caiaphas K AY1 AH0 F AH0 S
Caleb K EY1 L AH0 B
Camila K AH0 M IY1 L AH0
Camus K AE0 M UW1
Caoimhe K IY1 V AH0
Capek CH AA1 P EH0 K
Cardenas K AA1 R D EH0 N AH0 S
Castlereagh K AE1 S AH0 L R EY2
Catriona K AH0 T R IY1 N AH0
Cauchy K OW1 SH IY0
Cavani K AH0 V AA1 N IY0
Cazorla K AH0 Z AO1 R L AH0
Cezanne S EY0 Z AA1 N
Chalamet SH AE1 L AH0 M EY2
Chaudhary CH AW1 D R IY0
Chaves CH AA1 V EH0 S
Chewbacca CH UW0 B AA1 K AH0
Chiwetel CH UW1 IH0 T EH2 L
Chloe K L OW1 IY0
Chopin SH OW1 P AE2 N
Chopra CH OW1 P R AH0
Ciaran K IH1 R AH0 N
Cillian K IH1 L IY0 AH0 N
Cletus K L IY1 T AH0 S
Clough K L AH1 F
Cockburn K OW1 B ER0 N
Cocteau K AO0 K T OW1
Colquhoun K AH0 HH UW1 N
Coltrane K OW1 L T R EY2 N
Comey K OW1 M IY0
Consuelo K AH0 N S W EY1 L OW0
Cortazar K AO0 R T AA1 S AA0 R
Cosgrove K AA1 Z G R OW2 V
Coutinho K UW0 T IY1 N Y OW0
Crichton K R AY1 T AH0 N
Cruyff K R OY1 F
Cuevas K W EY1 V AH0 S
Daenerys D AH0 N EH1 R IH0 S
Daisuke D AY1 S K EH2
Dalek D AA1 L EH2 K
Dalhousie D AE0 L HH AW1 Z IY0
Darkseid D AA1 R K S AY2 D
Deandre D IY0 AA1 N D R EY2
Debussy D EH2 B Y UW0 S IY1
Degas D EY0 G AA1
Degeneres D AH0 JH EH1 N ER0 AH0 S
Delevingne D EH1 L AH0 V IY2 N
Dembele D EH0 M B EH1 L EY0
Demetrius D AH0 M IY1 T R IY0 AH0 S
Denis D EH1 N IH0 S
Denys D EH1 N IH0 S
Derozan D AH0 R OW1 Z AH0 N
Des D EH1 Z
Diarmuid D IH1 R M IH0 D
Diderot D IY1 D AH0 R OW2
Dieter D IY1 T ER0
Dijk D AY1 K
Dion D IY0 AA1 N
Dirac D IH0 R AE1 K
Djimon JH AY1 M AH0 N
Djokovic JH OW1 K AH0 V IH0 CH
Dolores D AH0 L AO1 R AH0 S
Domhnall D OW1 N AH0 L
Doncic D AA1 N CH IH0 CH
Dostoevsky D AA2 S T AH0 Y EH1 F S K IY0
Dostoyevsky D AA2 S T AH0 Y EH1 F S K IY0
Dre D R EY1
Drogba D R AA1 G B AH0
Duc D UH1 K
Duchamp D UW0 SH AA1 M
Dulles D AH1 L AH0 S
Duterte D UW0 T EH1 R T EY0
Dvorak D V AO1 R ZH AA2 K
Dwyane D W EY1 N
Eabha EY1 V AH0
Eamonn EY1 M AH0 N
Ebert IY1 B ER0 T
Eilidh EY1 L IY0
Ejiofor EH1 JH IY0 OW0 F AO2 R
Elias IH0 L AY1 AH0 S
Eliezer EH2 L IY0 EH1 Z ER0
Elin EH1 L IH0 N
Elodie EH1 L OW0 D IY0
Eloise EH1 L OW0 IY2 Z
Embiid EH0 M B IY1 D
Eminem EH1 M IH0 N EH2 M
Emre EH1 M R EH0
Eoghan OW1 AH0 N
Eoin OW1 AH0 N
Erdogan EH1 R D AH0 W AA2 N
Eren EH1 R AH0 N
Esmeralda EH2 Z M ER0 AE1 L D AH0
Estes EH1 S T IY0 Z
Evgeny Y EH0 V G EH1 N IY0
Fabrice F AH0 B R IY1 S
Farage F AH0 R AA1 ZH
Farhan F AA0 R HH AA1 N
Farooq F AH0 R UW1 K
Fauci F AW1 CH IY0
Fauré F AO0 R EY1
Favre F AA1 R V
Fellaini F EH0 L AY1 N IY0
Feynman F AY1 N M AH0 N
Ffion F IY1 AA0 N
Filipe F IH0 L IY1 P EY0
Fionn F IY1 AH0 N
Firmino F IH0 R M IY1 N OW0
Flaubert F L OW0 B EH1 R
Fourier F UH1 R IY0 EY2
Francesca F R AE0 N CH EH1 S K AH0
Gabriella G AE2 B R IY0 EH1 L AH0
Gaddafi G AH0 D AA1 F IY0
Gainsborough G EY1 N Z B ER0 AH0
Gaius G AY1 AH0 S
Galois G AE0 L W AA1
Garces G AA0 R S EH1 S
Gascoigne G AE1 S K OY2 N
Gasol G AH0 S OW1 L
Gaudí G AW0 D IY1
Gauguin G OW0 G AE1 N
Gaurav G AW1 R AH0 V
Gautama G AW1 T AH0 M AH0
Geoghegan G EY1 G AH0 N
Gérard ZH EH0 R AA1 R
Germaine JH ER0 M EY1 N
Gershon G ER1 SH AH0 N
Gervais JH ER0 V EY1 Z
Ghislaine G IH0 L EY1 N
Gianna JH IY0 AA1 N AH0
Giannis Y AA1 N IH0 S
Gide ZH IY1 D
Gillard G IH1 L AA2 R D
Gilles ZH IY1 L
Gillibrand JH IH1 L AH0 B R AE2 N D
Giovanna JH OW0 V AA1 N AH0
Giroud ZH IH0 R UW1
Gisele ZH IH0 Z EH1 L
Giselle JH IH0 Z EH1 L
Giulia JH UW1 L Y AH0
Goethe G ER1 T AH0
Gogh G OW1
Gogol G OW1 G AH0 L
Grainne G R AO1 N Y AH0
Griezmann G R IY1 Z M AA2 N
Griswold G R IH1 Z W AO2 L D
Grzegorz G ZH EH1 G AO0 SH
Guillermo G IY0 EH1 R M OW0
Gulen G UW1 L AH0 N
Guzman G UW1 Z M AA0 N
Haile HH AY1 L IY0
Hamad HH AA0 M AA1 D
Hamer HH EY1 M ER0
Hamish HH EY1 M IH0 SH
Hanes HH EY1 N Z
Hasek HH AA1 SH EH0 K
Hegel HH EY1 G AH0 L
Heloise EH1 L OW0 IY2 Z
Hercule EH0 R K Y UW1 L
Hercules HH ER1 K Y AH0 L IY2 Z
Hermione HH ER0 M AY1 AH0 N IY0
Higuain IY0 G W AA0 IY1 N
Himes HH AY1 M Z
Hines HH AY1 N Z
Hiroshige HH IH2 R OW0 SH IY1 G EY0
Hobbes HH AA1 B Z
Hofstadter HH AA1 F S T AE2 T ER0
Hokusai HH OW1 K UH0 S AY2
Hollande AO2 L AA1 N D
Horkheimer HH AO1 R K HH AY2 M ER0
Hounsou HH UW1 N S UW0
Houthi HH UW1 TH IY0
Howarth HH AW1 ER0 TH
Huang HH W AA1 NG
Hugues Y UW1 G
Hulme HH Y UW1 M
Humes HH Y UW1 M Z
Husserl HH UH1 S ER0 L
Huynh HH W IH1 N
Iain IY1 AH0 N
Ibaka IH0 B AA1 K AH0
Ibanez IY0 B AA1 N Y EH0 Z
Ibrahimovic IH2 B R AH0 HH IY1 M AH0 V IH2 CH
Ickes IH1 K IY0 Z
Idris IH1 D R IH0 S
Iglesias IY0 G L EY1 S IY0 AH0 S
Igor IY1 G AO2 R
Immanuel IH0 M AE1 N Y UW0 AH0 L
Imogen IH1 M AH0 JH AH0 N
Inarritu IH0 N Y AA1 R IH0 T UW2
Inès IY0 N EH1 S
Inigo IH1 N IH0 G OW2
Innes IH1 N AH0 S
Inuyasha IH2 N UW0 Y AA1 SH AH0
Ioan Y OW1 AH0 N
Irfan IH0 R F AA1 N
Ishiguro IH2 SH IH0 G UH1 R OW0
Isla AY1 L AH0
Issey IH1 S EY0
Ivanka IH0 V AA1 NG K AH0
Ivanovic IH0 V AA1 N AH0 V IH2 CH
Jabari JH AH0 B AA1 R IY0
Jada JH EY1 D AH0
Jaden JH EY1 D AH0 N
Jager Y EY1 G ER0
Jagr Y AA1 G ER0
Jamaal JH AH0 M AA1 L
Jameis JH EY1 M IH0 S
Jamil JH AH0 M IY1 L
Janacek Y AA1 N AH0 CH EH2 K
Jared JH EH1 R AH0 D
Javi HH AA1 V IY0
Javier HH AA0 V IY0 EH1 R
Jean-Baptiste ZH AA2 N B AE0 T IY1 S T
Jean-Claude ZH AA2 N K L OW1 D
Jean-François ZH AA2 N F R AA0 N S W AA1
Jean-Jacques ZH AA2 N ZH AA1 K
Jean-Luc ZH AA2 N L UW1 K
Jean-Marc ZH AA2 N M AA1 R K
Jean-Michel ZH AA2 N M IH0 SH EH1 L
Jean-Paul ZH AA2 N P AO1 L
Jean-Pierre ZH AA2 N P Y EH1 R
Jelena Y EH1 L AH0 N AH0
Jérôme ZH EH0 R OW1 M
Jerzy Y EH1 ZH IY0
Jesús HH EY0 S UW1 S
Jhumpa JH UH1 M P AH0
Jimenez HH IH0 M EH1 N EH0 Z
Jinping JH IH2 N P IH1 NG
Jintao JH IH2 N T AW1
Joakim Y OW0 AA1 K IH0 M
Joao ZH OW0 AW1
Joaquin W AA0 K IY1 N
Johannes Y OW0 HH AA1 N AH0 S
Jorge HH AO1 R HH EY0
Juarez W AA1 R EH0 Z
Juncker Y UH1 NG K ER0
Jurgen Y ER1 G AH0 N
Kaczynski K AH0 Z IH1 N S K IY0
Kadyrov K AH0 D IH1 R AO0 F
Kaepernick K AE1 P ER0 N IH2 K
Kagame K AH0 G AA1 M EY0
Kaluuya K AH0 L UW1 Y AH0
Kante K AA1 N T EY0
Kanye K AA1 N Y EY0
Kapil K AH1 P IH0 L
Karthik K AA1 R T IH0 K
Kasey K EY1 S IY0
Kasich K EY1 S IH0 K
Kawhi K AH0 W AY1
Keisha K IY1 SH AH0
Kenyatta K EH0 N Y AA1 T AH0
Kenzaburo K EH2 N Z AH0 B UH1 R OW0
Keqiang K AH0 CH Y AA1 NG
Khadija K AH0 D IY1 JH AH0
Khaleesi K AH0 L IY1 S IY0
Khalid K AA0 L IY1 D
Khamenei K AA2 M EH0 N EY1
Khloe K L OW1 IY0
Kierkegaard K IH1 R K AH0 G AA2 R D
Kieslowski K Y EH0 SH L AO1 F S K IY0
Kirill K IH0 R IY1 L
Klobuchar K L OW1 B AH0 SH AA2 R
Knut K N UW1 T
Koch K OW1 K
Koeman K UW1 M AH0 N
Koenig K OW1 N IH0 G
Koscielny K AH0 SH EH1 L N IY0
Kourtney K AO1 R T N IY0
Krzyzewski SH AH0 SH EH1 F S K IY0
Kunal K UH0 N AA1 L
Kundera K UH1 N D EH0 R AH0
Kunis K UW1 N IH0 S
Kurtis K ER1 T IH0 S
Labeouf L AH0 B AH1 F
Laertes L EY0 ER1 T IY0 Z
Lagrange L AH0 G R AA1 N JH
Lahiri L AH0 HH IH1 R IY0
Laing L AE1 NG
Lamarck L AH0 M AA1 R K
Lana L AA1 N AH0
Laozi L AW2 D Z AH1
Laplace L AH0 P L AA1 S
Laurent L AO0 R AA1 N
Lavigne L AH0 V IY1 N
Laxmi L AH1 K SH M IY0
Léa L EY1 AH0
Lebron L AH0 B R AA1 N
Lech L EH1 K
Leia L EY1 AH0
Leibniz L AY1 B N IH0 T S
Leyen L AY1 AH0 N
Likert L IH1 K ER0 T
Liliana L IH2 L IY0 AA1 N AH0
Lineker L IH1 N AH0 K ER0
Llewellyn L UW0 EH1 L IH0 N
Lloris L AO0 R IY1 S
Llosa Y OW1 S AH0
Lorelei L AO1 R AH0 L AY2
Luciana L UW2 S IY0 AA1 N AH0
Lukasz W UW1 K AA0 SH
Macron M AH0 K R OW1 N
Maduro M AH0 D UH1 R OW0
Maebh M EY1 V
Maelle M AA0 EH1 L
Maeve M EY1 V
Mahendra M AH0 HH EH1 N D R AH0
Mahone M AH0 HH OW1 N
Maillard M AY0 AA1 R
Maja M AA1 Y AH0
Malala M AH0 L AA1 L AH0
Malgorzata M AO2 L G AO0 ZH AA1 T AH0
Malia M AH0 L IY1 AH0
Mallarmé M AE2 L AA0 R M EY1
Manet M AE0 N EY1
Manoj M AH0 N OW1 JH
Manziel M AE0 N Z EH1 L
Margot M AA1 R G OW0
Mariota M AA2 R IY0 OW1 T AH0
Maris M EH1 R IH0 S
Matisse M AH0 T IY1 S
Maugham M AO1 M
Maupassant M OW2 P AH0 S AA1 N
Mbappe EH0 M B AA0 P EY1
Mbeki AH0 M B EH1 K IY0
McConaughey M AH0 K AA1 N AH0 HH EY2
Medici M EH1 D IH0 CH IY0
Megadeth M EH1 G AH0 D EH2 TH
Megan M EH1 G AH0 N
Megyn M EY1 G AH0 N
Melania M AH0 L AA1 N Y AH0
Mendeleev M EH2 N D AH0 L EY1 AH0 F
Mendes M EH1 N D EH0 Z
Meneses M AH0 N EH1 S AH0 S
Messi M EH1 S IY0
Mesut M EH0 S UW1 T
Mhairi V AA1 R IY0
Michaela M IH0 K EY1 L AH0
Mícheál M IY1 HH AO0 L
Michonne M IH0 SH OW1 N
Mignolet M IY2 N Y OW0 L EY1
Mikhail M IH0 K AY1 L
Mikkelsen M IH1 K AH0 L S AH0 N
Milosz M IY1 W AO0 SH
Miró M IH0 R OW1
Misha M IY1 SH AH0
Mishima M IH0 SH IY1 M AH0
Mizoguchi M IY2 Z OW0 G UW1 CH IY0
Mjolnir M Y OW1 L N IH2 R
Mnangagwa AH0 M N AH0 NG G AA1 G W AH0
Moana M OW0 AA1 N AH0
Modigliani M OW2 D IY0 L Y AA1 N IY0
Modric M AO1 D R IH0 CH
Moliere M OW0 L Y EH1 R
Montaigne M AA0 N T EY1 N
Montesquieu M AA2 N T AH0 S K Y UW1
Monteverdi M AA2 N T AH0 V EH1 R D IY0
Moreno M AH0 R EY1 N OW0
Mosby M OW1 Z B IY0
Mountbatten M AW2 N T B AE1 T AH0 N
Mourinho M AO0 R IY1 N Y OW0
Mowgli M AW1 G L IY0
Mozart M OW1 T S AA2 R T
Mulan M UW0 L AA1 N
Murat M UW0 R AA1 T
Musa M UW1 S AH0
Museveni M UW2 S EH0 V EY1 N IY0
Mussorgsky M UH0 S AO1 R G S K IY0
Mustapha M UH1 S T AH0 F AH0
Myfanwy M AH0 V AE1 N W IY0
Nabokov N AH0 B AO1 K AO0 F
Nadal N AH0 D AA1 L
Nadezhda N AH0 D Y EH1 ZH D AH0
Nadia N AA1 D IY0 AH0
Narendra N AH0 R EH1 N D R AH0
Navalny N AH0 V AA1 L N IY0
Nazir N AH0 Z IH1 R
Ncuti SH UW1 T IY0
Nemo N IY1 M OW0
Nephi N IY1 F AY2
Neymar N EY1 M AA2 R
Ng IH1 NG
Nguyen W IH1 N
Niamh N IY1 V
Nicola N IH1 K AH0 L AH0
Nicolas N IH1 K AH0 L AH0 S
Nikhil N IH1 K IH0 L
Nkrumah AH0 N K R UW1 M AH0
Noel N OW0 EH1 L
Noémie N OW0 EY0 M IY1
Noether N ER1 T ER0
Nowitzki N OW0 V IH1 T S K IY0
Nunes N UW1 N EH0 Z
Nunez N UW1 N Y EH0 Z
Nyong'o N Y AO1 NG OW0
Ocasio OW0 K AA1 S IY0 OW0
Océane OW0 S EY0 AA1 N
Odile OW0 D IY1 L
Oe OW1 EY0
Ogilvie OW1 G AH0 L V IY0
Oisín AH0 SH IY1 N
Okafor OW2 K AH0 F AO1 R
Oleksandr OW2 L EH0 K S AA1 N D ER0
Ovechkin OW0 V EH1 CH K IH0 N
Ozil OW1 Z IH0 L
Ozu OW1 Z UW0
Pacquiao P AE1 K Y AW2
Padilla P AH0 D IY1 Y AH0
Padraig P AA1 D R IH0 G
Padukone P AH0 D UW1 K OW0 N EY0
Palin P EY1 L IH0 N
Pardew P AA1 R D Y UW0
Paredes P AH0 R EY1 D EH0 S
Pauli P AW1 L IY0
Paulinho P AW0 L IY1 N Y OW0
Paulo P AW1 L OW0
Pawan P AH1 W AH0 N
Pedro P EY1 D R OW0
Pepe P EH1 P EY0
Pepys P IY1 P S
Peres P EH1 R EH0 S
Pewdiepie P Y UW1 D IY0 P AY2
Pham F AA1 M
Pharrell F AH0 R EH1 L
Philippe F IH0 L IY1 P
Piaf P IY0 AA1 F
Piotr P Y AA1 T ER0
Pires P IH1 R IH0 S
Pius P AY1 AH0 S
Poincaré P W AE2 N K AA0 R EY1
Poirot P W AA0 R OW1
Poisson P W AA0 S AA1 N
Poitier P W AA1 T Y EY2
Poussin P UW0 S AE1 N
Prokofiev P R AH0 K AO1 F Y EH2 F
Proulx P R UW1
Proust P R UW1 S T
Pynchon P IH1 N CH AH0 N
Pyotr P Y OW1 T ER0
Qiao CH Y AW1
Qin CH IH1 N
Qing CH IH1 NG
Qiu CH UW1
Rabelais R AE2 B AH0 L EY1
Rabindranath R AH0 B IH1 N D R AH0 N AA2 T
Rafa R AA1 F AH0
Raikkonen R AY1 K AH0 N AH0 N
Rajapaksa R AA2 JH AH0 P AA1 K S AH0
Rajeev R AA0 JH IY1 V
Rajesh R AA0 JH EH1 SH
Rakesh R AA0 K EH1 SH
Rapace R AH0 P AA1 S
Rapunzel R AH0 P AH1 N Z AH0 L
Raul R AA0 UW1 L
Ravel R AH0 V EH1 L
Recep R EH1 JH EH0 P
Reginald R EH1 JH AH0 N AH0 L D
Reus R OY1 S
Ricciardo R IH0 K AA1 R D OW0
Rilke R IH1 L K AH0
Rimbaud R AE0 M B OW1
Rizal R IH0 Z AA1 L
Rodin R OW0 D AE1 N
Roethlisberger R AA1 TH L IH0 S B ER2 G ER0
Rogen R OW1 G AH0 N
Róisín R OW0 SH IY1 N
Ronaldinho R OW2 N AA0 L D IY1 N Y OW0
Rosamund R AA1 Z AH0 M AH0 N D
Rousseau R UW0 S OW1
Rowling R OW1 L IH0 NG
Ruairi R AO1 R IY0
Ruaridh R AO1 R IY0
Sadie S EY1 D IY0
Sadiq S AH0 D IY1 K
Sagan S EY1 G AH0 N
Saheb S AA1 HH EH2 B
Saint-Exupéry S AE2 N T EH0 G Z UW2 P EY0 R IY1
Saint-Saens S AE0 N S AA1 N
Sajid S AA0 JH IY1 D
Salah S AH0 L AA1
Salas S AA1 L AH0 S
Salman S AE0 L M AA1 N
Sancho S AE1 N CH OW0
Saoirse S ER1 SH AH0
Sarkozy S AA2 R K OW0 Z IY1
Satyajit S AA1 T Y AH0 JH IH0 T
Savile S AE1 V IH0 L
Sayed S AA0 Y EH1 D
Scholz SH AO1 L T S
Schopenhauer SH OW1 P AH0 N HH AW2 ER0
Schrodinger SH R OW1 D IH0 NG ER0
Schwarzenegger SH W AO1 R T S AH0 N EH2 G ER0
Schweinsteiger SH W AY1 N S T AY2 G ER0
Scorsese S K AO0 R S EY1 Z IY0
Seamus SH EY1 M AH0 S
Sean SH AO1 N
Selim S AH0 L IY1 M
Seurat S AH0 R AA1
Shae SH EY1
Shaqiri SH AH0 K IH1 R IY0
Sharapova SH AA2 R AH0 P OW1 V AH0
Sian SH AA1 N
Sibelius S IH0 B EY1 L IY0 AH0 S
Siddharth S IH0 D AA1 R TH
Siddhartha S IH0 D AA1 R TH AH0
Sinead SH IH0 N EY1 D
Sinema S IH1 N AH0 M AH0
Siobhan SH AH0 V AO1 N
Sjogren SH OW1 G R EH0 N
Skarsgard S K AA1 R S G AO2 R D
Skynyrd S K IH1 N ER0 D
Soares S W AA1 R EH0 S
Solange S OW0 L AA1 N ZH
Solzhenitsyn S OW2 L ZH AH0 N IY1 T S IH0 N
Stannis S T AE1 N IH0 S
Suleiman S UW2 L EY0 M AA1 N
Sunak S UW1 N AE2 K
Swiatek SH V IY0 AA1 N T EH0 K
Szymborska SH IH0 M B AO1 R S K AH0
Tadao T AH0 D AA1 OW0
Tadhg T AY1 G
Taehyung T EY1 HH Y AH0 NG
Tagore T AH0 G AO1 R
Tamar T EY1 M AA2 R
Taney T AO1 N IY0
Tarkovsky T AA0 R K AO1 F S K IY0
Tchaikovsky CH AY0 K AO1 F S K IY0
Thabo T AA1 B OW0
Thandiwe T AE1 N D IY0 W EY0
Thanh T AA1 N
Thiago T IY0 AA1 G OW0
Thibaut T IY0 B OW1
Thierry T Y EH1 R IY0
Thiong'o T IY0 AO1 NG OW0
Thoth TH OW1 TH
Timothée T IH2 M AH0 T EY1
Toews T EY1 V Z
Tolkien T OW1 L K IY2 N
Tomasz T OW1 M AA0 SH
Torres T AO1 R EH0 S
Torvalds T AO1 R V AO2 L D Z
Tove T OW1 V AH0
Townshend T AW1 N Z AH0 N D
Trae T R EY1
Truffaut T R UW0 F OW1
Tsarnaev S AA0 R N AY1 EH2 V
Turgenev T ER0 G EY1 N Y EH0 F
Turing T UH1 R IH0 NG
Tyrrell T IH1 R AH0 L
Uhuru UW0 HH UW1 R UW0
Ulrich UH1 L R IH0 K
Umar UW1 M AA2 R
Uri Y UH1 R IY0
Usain Y UW0 S EY1 N
Usman UW0 S M AA1 N
Uwe UW1 V AH0
Valles V AA1 Y EH0 S
Vegeta V AH0 JH EY1 T AH0
Vermeer V ER0 M IH1 R
Veronika V AH0 R AA1 N IH0 K AH0
Versace V ER0 S AA1 CH EY0
Verstappen V ER0 S T AE1 P AH0 N
Vikander V IH0 K AE1 N D ER0
Vikas V IH0 K AA1 S
Villeneuve V IY2 L N AH1 V
Vivek V IH0 V EY1 K
Volodymyr V AA0 L AH0 D IH1 M IH2 R
Walesa V AH0 W EH1 N S AH0
Walsingham W AO1 L S IH0 NG AH0 M
Wawrinka V AO0 R IH1 NG K AH0
Weeknd W IY1 K EH2 N D
Weierstrass V AY1 ER0 S T R AA2 S
Weis W AY1 S
Wemyss W IY1 M Z
Willian W IH1 L Y AH0 N
Wislawa V IH0 S W AA1 V AH0
Wittgenstein V IH1 T G AH0 N S T AY2 N
Wojciech V OY1 CH EH0 K
Wole W OW1 L EY0
Wolseley W UH1 L Z L IY0
Wozniacki W AA2 Z N IY0 AE1 K IY0
Xanthe Z AE1 N TH IY0
Xavi CH AA1 V IY0
Xavier Z EY1 V Y ER0
Xhaka ZH AA1 K AH0
Xi SH IY1
Xia SH Y AA1
Xiao SH Y AW1
Xiaoping SH Y AW2 P IH1 NG
Ximena HH IH0 M EY1 N AH0
Xin SH IH1 N
Yadav Y AA1 D AH0 V
Yankovic Y AE1 NG K AH0 V IH2 K
Yayoi Y AH0 Y OY1
Yeats Y EY1 T S
Yeon Y AH1 N
Yerkes Y ER1 K IY0 Z
Yimou Y IY2 M OW1
Yonge Y AH1 NG
Yukio Y UW1 K IY0 OW0
Zakaria Z AH0 K AA1 R IY0 AH0
Zbigniew Z B IH1 G N Y EH2 F
Zedong Z AH0 D AO1 NG
Zelensky Z AH0 L EH1 N S K IY0
Zelenskyy Z AH0 L EH1 N S K IY0
Zendaya Z AH0 N D EY1 AH0
Zhang JH AA1 NG
Zhao JH AW1
Zhou JH OW1
Zhu JH UW1
Zhuangzi JH W AA1 NG Z IH0
Zidane Z IH0 D AA1 N
Zizek ZH IY1 ZH EH2 K
Zlatan Z L AA1 T AA2 N
Zoe Z OW1 IY0
Zuko Z UW1 K OW0
`;
