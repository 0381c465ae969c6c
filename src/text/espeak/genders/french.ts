import { wordSet } from '../../patterns.ts';
import { withPlurals } from '../rules.ts';

const plural = (noun: string) => {
  if (/[sxz]$/.test(noun)) return noun;
  return /eau$/.test(noun) ? `${noun}x` : `${noun}s`;
};

/** Feminine nouns with other endings than most. */
export const feminine = withPlurals(
  wordSet(`âme amende ampoule arme balle banane bande base bête bière boisson boîte boule bourse bouteille brebis cage carotte
  carte cause cellule chaise chaleur chambre chanson chemise chose clé clef commande copie corde couleur course crème croix
  cuillère cuisse dame danse date datte demande dent dépense dinde dose douleur eau école enquête épaule épice éponge équipe
  erreur espèce étape étoile excuse façon faute femme fenêtre fête feuille file fin flamme fleur fois force forme fourmi
  gamme gare gélule glace gomme gousse goutte graine grève guitare hauteur heure histoire huile île image issue jambe lampe
  largeur larme leçon lettre ligne liste livre-sterling loi longueur lueur lune main maison manche mer micromole millimole minute moisson mole nanomole montagne
  mort neige nièce noix norme note nuit odeur œuvre offre olive orange page paix part parole pause peau peine perdrix perte
  personne peur phase phrase pièce pile pilule piste place plage plante planète plume poire pomme porte poule preuve prime
  prison profondeur raison règle réponse requête robe rose roue roupie route rue rumeur saison salle sauce saveur scène
  seconde semaine sœur somme source souris suite surface table tarte tasse tente tête tige toile tomate tonne trace
  tranche usine valeur vapeur vente vertu viande victime vidéo vigne ville vis visite vitesse voie voiture voix zone`),
  plural,
);

/** Masculine nouns with endings that most feminine ones have. */
export const masculine = withPlurals(
  wordSet(`arrêté arrière bastion beurre centimètre cigare cimetière comité côté député derrière disque domaine été foie génie incendie invité
  kilomètre lycée magazine masque mètre musée parapluie pâté pique poisson risque siècle silence squelette tonnerre
  trophée traité verre`),
  plural,
);
