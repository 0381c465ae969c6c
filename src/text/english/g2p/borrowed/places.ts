/** Names of places, and of the people who live there. */
export const PLACES = `
Abu AA1 B UW0
Aceh AA1 CH EY0
Ahmedabad AA1 M AH0 D AH0 B AA2 D
Aires EH1 R IY0 Z
Albury AO1 L B ER0 IY0
Algarve AA0 L G AA1 R V
Alnwick AE1 N IH0 K
Angeles AE1 N JH AH0 L AH0 S
Arezzo AH0 R EH1 T S OW0
Asunción AH0 S UW2 N S IY0 OW1 N
Avila AA1 V IH0 L AH0
Ayr EH1 R
Ayutthaya AA2 Y UW0 T AH0 Y AA1
Baguio B AA1 G IY0 OW0
Baikal B AY0 K AA1 L
Bariloche B AA2 R IH0 L OW1 CH EY0
Basingstoke B EY1 Z IH0 NG S T OW2 K
Batumi B AH0 T UW1 M IY0
Bayeux B AY1 Y UW0
Bellagio B AH0 L AA1 JH IY0 OW0
Bermondsey B ER1 M AH0 N D Z IY0
Berwick B EH1 R IH0 K
Besancon B EH2 Z AA0 N S OW1 N
Bicester B IH1 S T ER0
Boise B OY1 S IY0
Boracay B AO1 R AH0 K AY2
Bosphorus B AA1 S F ER0 AH0 S
Brasov B R AA1 SH AO2 V
Buckingham B AH1 K IH0 NG AH0 M
Buckinghamshire B AH1 K IH0 NG AH0 M SH ER0
Bukhara B UW0 K AA1 R AH0
Busan B UW1 S AA2 N
Cadiz K AH0 D IH1 Z
Caernarfon K ER0 N AA1 R V AH0 N
Caicos K EY1 K OW0 S
Cancun K AE2 N K UW1 N
Cannes K AE1 N
Carmarthen K AA0 R M AA1 R DH AH0 N
Catalunya K AE2 T AH0 L UW1 N Y AH0
Ceredigion K EH2 R AH0 D IH1 G IY0 AH0 N
Chamonix SH AE2 M AH0 N IY1
Changi CH AA1 NG IY0
Cheltenham CH EH1 L T AH0 N AH0 M
Chiang CH Y AA1 NG
Chisinau K IH2 SH IH0 N AW1
Chiswick CH IH1 Z IH0 K
Cirencester S AY1 R AH0 N S EH2 S T ER0
Clapham K L AE1 P AH0 M
Clermont-Ferrand K L EH2 R M AO0 N F EH0 R AA1 N
Cluj K L UW1 ZH
Cobh K OW1 V
Coimbra K W IH1 M B R AH0
Colfax K OW1 L F AE2 K S
Coquitlam K OW0 K W IH1 T L AH0 M
Cordoba K AO1 R D AH0 B AH0
Coruna K AO0 R UW1 N Y AH0
Cronulla K R AH0 N AH1 L AH0
Curacao K Y UH1 R AH0 S OW2
Czechs CH EH1 K S
Daegu D EY1 G UW0
Deptford D EH1 T F ER0 D
Devonshire D EH1 V AH0 N SH ER0
Dieppe D IY0 EH1 P
Dongguan D UH2 NG G W AA1 N
Drogheda D R AA1 HH AH0 D AH0
Dulwich D AH1 L IH0 CH
Dunfermline D AH0 N F ER1 M L IH0 N
Edgbaston EH1 JH B AH0 S T AH0 N
Ely IY1 L IY0
Emmaus IH0 M EY1 AH0 S
Etienne EY2 T Y EH1 N
Etobicoke IH0 T OW1 B IH0 K OW2
Evesham IY1 V SH AH0 M
Fallujah F AH0 L UW1 JH AH0
Farnborough F AA1 R N B ER0 AH0
Folkestone F OW1 K S T AH0 N
Frome F R UW1 M
Galapagos G AH0 L AA1 P AH0 G OW2 S
Galle G AO1 L
Gauteng HH AW1 T EH2 NG
Gdansk G AH0 D AA1 N S K
Gethsemane G EH0 TH S EH1 M AH0 N IY0
Ghraib G R EY1 B
Gijon HH IY0 HH OW1 N
Gila HH IY1 L AH0
Gilead G IH1 L IY0 AE2 D
Girona JH IH0 R OW1 N AH0
Gisborne G IH1 Z B ER0 N
Giverny ZH IY2 V ER0 N IY1
Godalming G AA1 D AH0 L M IH0 NG
Goulburn G OW1 L B ER0 N
Gravesend G R EY2 V Z EH1 N D
Greenock G R IY1 N AH0 K
Grimsby G R IH1 M Z B IY0
Guangxi G W AA2 NG SH IY1
Guildford G IH1 L F ER0 D
Gurgaon G UH0 R G AW1 N
Gwangju G W AA1 NG JH UW0
Hakone HH AA1 K OW0 N EY0
Haringey HH EH1 R IH0 NG G EY2
Haumea HH AW0 M EY1 AH0
Havre HH AA1 V R AH0
Hawick HH AO1 IH0 K
Haworth HH AW1 ER0 TH
Herefordshire HH EH1 R AH0 F ER0 D SH ER0
Hertford HH AA1 R T F ER0 D
Hertfordshire HH AA1 R T F ER0 D SH ER0
Holborn HH OW1 B ER0 N
Holodomor HH AA1 L AH0 D AH0 M AO2 R
Houma HH OW1 M AH0
Iasi Y AA1 SH
Idlib IH1 D L IH0 B
Iqaluit IH0 K AE1 L UW0 IH0 T
Isleworth AY1 Z AH0 L W ER0 TH
Islington IH1 Z L IH0 NG T AH0 N
Ivoire IH0 V W AA1 R
Jedburgh JH EH1 D B ER0 AH0
Jeju JH EY1 JH UW0
Jolla HH OY1 AH0
Joseon JH OW1 S AH0 N
Kamakura K AA2 M AH0 K UH1 R AH0
Karabakh K AA1 R AH0 B AA2 K
Kelowna K AH0 L OW1 N AH0
Keswick K EH1 Z IH0 K
Kherson HH ER0 S AO1 N
Kilimanjaro K IH2 L AH0 M AH0 N JH AA1 R OW0
Knysna N AY1 Z N AH0
Krakow K R AA1 K AW0
Kyiv K IY1 V
Lanzarote L AE2 N Z ER0 AA1 T IY0
Laoghaire L IH1 R IY0
Las L AA0 S
Lecce L EH1 CH EY0
Leicestershire L EH1 S T ER0 SH ER0
Lewes L UW1 IH0 S
Lewisham L UW1 IH0 SH AH0 M
Liège L IY0 EH1 ZH
Linlithgow L IH0 N L IH1 TH G OW0
Linz L IH1 N T S
Llandudno L AE2 N D IH1 D N OW0
Llanelli L AH0 N EH1 L IY0
Lodz W UW1 CH
Los L AA0 S
Lothian L OW1 DH IY0 AH0 N
Loughborough L AH1 F B ER0 AH0
Louvain L UW0 V AE1 N
Louvre L UW1 V R AH0
Lviv L AH0 V IY1 V
Lyon L IY0 AO1 N
Lyons L AY1 AH0 N Z
Macclesfield M AE1 K AH0 L Z F IY2 L D
Mackinac M AE1 K AH0 N AO2
Macomb M AH0 K OW1 M
Macquarie M AH0 K W AA1 R IY0
Mainz M AY1 N T S
Makati M AH0 K AA1 T IY0
Makemake M AA2 K IY0 M AA1 K IY0
Malaga M AE1 L AH0 G AH0
Malé M AA1 L EY0
Malmesbury M AA1 M Z B ER0 IY0
Malmo M AE1 L M OW2
Marrakesh M EH2 R AH0 K EH1 SH
Marseille M AA0 R S EY1
Marylebone M AE1 R AH0 L AH0 B OW2 N
Medellin M EH2 D EH0 Y IY1 N
Merida M EH1 R IH0 D AH0
Merseyside M ER1 Z IY0 S AY2 D
Merthyr M ER1 TH ER0
Michoacan M IY2 CH OW0 AH0 K AA1 N
Milngavie M AH0 L G AY1
Mohave M OW0 HH AA1 V IY0
Moines M OY1 N
Moncton M AH1 NG K T AH0 N
Montreux M AA0 N T R OW1
Monza M AA1 N Z AH0
Mpumalanga AH0 M P UW2 M AH0 L AE1 NG G AH0
Mughal M UW1 G AH0 L
Munchen M UH1 N SH AH0 N
Musselburgh M AH1 S AH0 L B ER0 AH0
Mykolaiv M IH2 K OW0 L AY1 IH0 V
Mysuru M AY0 S UH1 R UW0
Naas N EY1 S
Namib N AH0 M IH1 B
Newham N UW1 AH0 M
Nha N Y AA1
Nimes N IY1 M
Northants N AO1 R TH AE2 N T S
nyc EH2 N W AY2 S IY1
Ojai OW1 HH AY0
Ojibwe OW0 JH IH1 B W EY2
Oneonta OW2 N IY0 AA1 N T AH0
Oort AO1 R T
Orléans AO2 R L EY0 AA1 N
Oswiecim AO0 SH V Y EH1 N CH IH0 M
Otago OW0 T AA1 G OW0
Ouachita W AA1 SH IH0 T AO2
Ouray Y UH0 R EY1
Pancras P AE1 NG K R AH0 S
Parramatta P AE2 R AH0 M AE1 T AH0
Pasco P AE1 S K OW0
Pattaya P AA0 T AA1 Y AH0
Pecos P EY1 K AH0 S
Pécs P EY1 CH
Perpignan P EH2 R P IY0 N Y AA1 N
Phnom P AH0 N AA1 M
Phuket P UW2 K EH1 T
Plzen P IH1 L Z EH2 N
Poitiers P W AA1 T Y EY2
Pokhara P OW1 K AH0 R AH0
Pontypridd P AA2 N T AH0 P R IY1 DH
Potosí P OW2 T OW0 S IY1
Poznan P OW1 Z N AH0 N
Pyeongchang P Y AH1 NG CH AE2 NG
Qaida K AY1 D AH0
Qatari K AH0 T AA1 R IY0
Queretaro K EH0 R EH1 T AH0 R OW2
Quezon K EY1 Z AA2 N
Rafah R AA1 F AH0
Raqqa R AA1 K AH0
Regensburg R EY1 G AH0 N Z B ER0 G
Reims R IY1 M Z
Rosyth R AH0 S AY1 TH
Roubaix R UW0 B EY1
Roxburgh R AA1 K S B ER0 AH0
Ruislip R AY1 S L IH0 P
Saiyan S AY1 AH0 N
Salzburg S AA1 L T S B ER0 G
Sao S AW1
Scheveningen S K EY1 V AH0 N IH2 NG AH0 N
Schuylkill S K UW1 K AH0 L
Scioto S AY0 OW1 T AH0
Sequim S K W IH1 M
Shaftesbury SH AE1 F T S B ER0 IY0
Shaolin SH AW1 L IH2 N
Shrewsbury SH R UW1 Z B EH2 R IY0
Shropshire SH R AA1 P SH ER0
Sioux S UW1
Skaneateles S K IH2 N IY0 AE1 T L AH0 S
Smethwick S M EH1 DH IH0 K
socal S OW1 K AE2 L
Southwark S AH1 DH ER0 K
Srebrenica S R EH2 B R AH0 N IY1 T S AH0
Stanislaus S T AE1 N IH0 S L AO2 S
Ste S EY1 N T
Stevenage S T IY1 V AH0 N IH0 JH
Suzuka S UW0 Z UW1 K AH0
Szczecin SH CH EH1 CH IY0 N
Tahoe T AA1 HH OW0
Tanganyika T AE2 NG G AH0 N Y IY1 K AH0
Tangiers T AE0 N JH IH1 R Z
Tarragona T AE2 R AH0 G OW1 N AH0
Tartu T AA1 R T UW0
Tehachapi T AH0 HH AE1 CH AH0 P IY0
Teotihuacan T EY2 OW0 T IY2 W AH0 K AA1 N
Thessaloniki TH EH2 S AH0 L OW0 N IY1 K IY0
Tiananmen T Y EH1 N AH0 N M EH2 N
Tikrit T IH0 K R IY1 T
Timisoara T IY2 M IH0 SH W AA1 R AH0
Tippecanoe T IH2 P IY0 K AH0 N UW1
Torquay T AO0 R K IY1
Tribeca T R AY0 B EH1 K AH0
Tubingen T UW1 B IH0 NG AH0 N
Tulum T UW0 L UW1 M
Turin T UH1 R IH0 N
Turkiye T UH1 R K IY0 Y EH2
Twickenham T W IH1 K AH0 N AH0 M
Tyneside T AY1 N S AY2 D
Ubud UW1 B UH0 D
Udaipur UW0 D AY1 P UH2 R
Uffizi UW0 F IY1 T S IY0
Umea UW1 M EY0 OW2
Ushuaia UW0 S W AY1 AH0
Valparaiso V AE2 L P ER0 AY1 Z OW0
Vauxhall V AA1 K S AO2 L
Veneto V EH1 N AH0 T OW2
Verdes V ER1 D IY0 Z
Wandsworth W AA1 N Z W ER0 TH
Whitechapel W AY1 T CH AE2 P AH0 L
Woking W OW1 K IH0 NG
Woolwich W UH1 L IH0 CH
Wrexham R EH1 K S AH0 M
Wroclaw V R AO1 T S W AA2 F
Wurttemberg W ER1 T AH0 M B ER0 G
Wurzburg W ER1 T S B ER0 G
Wycombe W IH1 K AH0 M
Xi'an SH IY2 AA1 N
Yamato Y AA1 M AH0 T OW0
Yaounde Y AA2 UW0 N D EY1
Yarmouk Y AA0 R M UW1 K
Yosemite Y OW0 S EH1 M IH0 T IY0
Youghal Y AO1 L
Younis Y UW1 N IH0 S
Zaporizhzhia Z AA2 P AH0 R IY1 ZH AH0
Zihuatanejo Z IY2 W AH0 T AH0 N EY1 HH OW0
`;
